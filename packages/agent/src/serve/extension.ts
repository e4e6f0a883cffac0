// Methods of our own, by their names on the wire.

export const ASK_USER = "_agentao.cn/ask_user";
export const SET_MODEL = "_agentao.cn/set_model";

/** In `_meta` of the end of a call that was denied: by whom, why, by which rule. */
export const DENIAL = "_agentao.cn/denial";

/** In `_meta` of the answer to a prompt: the tokens of all its requests. */
export const TURN_USAGE = "_agentao.cn/usage";
