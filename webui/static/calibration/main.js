// The page on which the host of a running game sees, and says, where the board is.

import { comeInByLink } from "../shared/hosts.js";
import { showCalibration } from "./calibration.js";

await comeInByLink();
showCalibration(document.getElementById("view"), { hasGame: true });
document.body.dataset.ready = "yes";
