import type { ComponentProps } from 'react';
import { LinesField } from './LinesField.tsx';

type OriginsFieldProps = Omit<ComponentProps<typeof LinesField<'allowed_origins'>>, 'name' | 'placeholder'>;

/** Addresses of websites, one per line; a rejected one is quoted. */
export const OriginsField = (props: OriginsFieldProps) => (
  <LinesField name="allowed_origins" placeholder="https://shop.example" {...props} />
);
