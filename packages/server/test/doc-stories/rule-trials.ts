import type { Story } from '../doc-story.ts';

export const story: Story = () => Promise.resolve({});
