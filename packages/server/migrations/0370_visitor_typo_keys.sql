-- The words and numbers in `visitors.search`, and each word without one of its letters: two words that differ by one
-- typing error have one of those in common, so that a mistyped word is found by a few exact entries of an index.
-- Hashes, with the site in them: an entry of the index belongs to one site. Procedural, because one query per visitor
-- costs several times as much. Of a long text, only the first words may be mistyped: it would fill the index.
create or replace function visitor_typo_keys(site_id bigint, search text) returns int[]
  language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  plain text := convert_from(decode(search, 'escape'), 'UTF8');
  seen text[] := '{}';
  keys int[] := '{}';
  word text;
begin
  foreach word in array string_to_array(
    translate(plain, E' \t\n\r0123456789!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 46)), ' '
  ) loop
    continue when length(word) not between 3 and 32 or word = any (seen);
    seen := seen || word;
    keys := keys || (hashtextextended(word, site_id) >> 32)::int;
    continue when length(word) = 3 or cardinality(seen) > 16;
    for at in 1..length(word) loop
      keys := keys || (hashtextextended(overlay(word placing '' from at for 1), site_id) >> 32)::int;
    end loop;
  end loop;
  foreach word in array regexp_split_to_array(plain, '[^0-9]+') loop
    if length(word) between 3 and 32 then keys := keys || (hashtextextended(word, site_id) >> 32)::int; end if;
  end loop;
  return keys;
end $$;
