// The page on which the host of a running game sees, and says, where the board is.

import { becomeHost } from "../shared/sheets.js";
import { showCalibration } from "./calibration.js";

await becomeHost();
showCalibration(document.getElementById("view"), { hasGame: true });
document.body.dataset.ready = "yes";
