interface FormErrorProps {
  id?: string;
  text: string | false | null;
}

/** The error of a form or field; nothing without a text. Screen readers announce it at once. */
export const FormError = ({ id, text }: FormErrorProps) =>
  text ? (
    <p id={id} class="form-error" role="alert">
      {text}
    </p>
  ) : null;
