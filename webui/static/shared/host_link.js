// The host's link, opened on a page: its token is traded for a cookie, and the address forgets it.

import { post } from "./api.js";
import { attempt } from "./toast.js";

const LINK = /^#host=([\w-]+)$/;

/** Become the host, where the page was opened by the host's link; tell whether nothing was refused. */
export async function becomeHost() {
  const token = LINK.exec(location.hash)?.[1];
  if (!token) return true;
  history.replaceState(null, "", location.pathname);
  return (await attempt(() => post("/join", { token }))) !== null;
}
