// The host's link, opened on this page: its token is traded for a cookie, and the address forgets it.

import { post } from "../table/api.js";
import { attempt } from "./tell.js";

const LINK = /^#host=([\w-]+)$/;

export async function becomeHost() {
  const token = LINK.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  await attempt(() => post("/join", { token }));
}
