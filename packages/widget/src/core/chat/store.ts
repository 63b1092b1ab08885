import { type ConversationEvent, type ConversationState, initialState, reduce } from '../conversation.ts';

/** Holds the state that everything reads, and changes it by events. */
export interface Store {
  state(): ConversationState;
  apply(event: ConversationEvent): void;
}

/** @param onState called after each event that changed something */
export const createStore = (onState: (state: ConversationState) => void): Store => {
  let state = initialState;
  return {
    state: () => state,
    apply(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      onState(state);
    },
  };
};
