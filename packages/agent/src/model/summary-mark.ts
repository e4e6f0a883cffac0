// How a request for a summary begins, so that a model that follows rules knows one when it sees it.

export const SUMMARY_MARK = "Sum up this session.";
