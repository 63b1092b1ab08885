-- after older processes
-- They find a session only by its token.
update auth_sessions set token = 'sha256:' || encode(sha256(convert_to(token, 'UTF8')), 'hex')
where id in (select id from auth_sessions where token not like 'sha256:%' limit 500);
