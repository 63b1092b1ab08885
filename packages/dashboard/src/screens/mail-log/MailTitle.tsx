interface MailTitleProps {
  name: string;
  subject: string;
  /** Below, where there is no room for a badge. */
  note: string;
}

/** The heading of a mail's row. */
export const MailTitle = ({ name, subject, note }: MailTitleProps) => (
  <>
    <span className="block truncate">
      <bdi>{name}</bdi>
      <span className="font-normal text-soft">
        {' · '}
        <bdi>{subject}</bdi>
      </span>
    </span>
    <span className="block truncate font-normal text-soft text-xs sm:hidden">{note}</span>
  </>
);
