// Unpacks the Chromium that the package brings along, and prints where it is.

import chromium from '@sparticuz/chromium'

console.log(await chromium.executablePath())
