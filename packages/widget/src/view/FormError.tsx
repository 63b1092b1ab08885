interface FormErrorProps {
  id?: string;
  text: string | false | null;
}

/** What is wrong with a form or one of its fields; nothing without a text. Heard as soon as it is there. */
export const FormError = ({ id, text }: FormErrorProps) =>
  text ? (
    <p id={id} class="form-error" role="alert">
      {text}
    </p>
  ) : null;
