import { launchBrowser } from './browser.ts'
import { takePictures } from './handbook-pictures.ts'
import { handbookPictures } from './save-picture.ts'

/** Replaces the pictures of the handbook by those of the pages as they are now: `node test/console/take-pictures.ts`. */
const browser = await launchBrowser()
await takePictures(browser, handbookPictures)
await browser.close()
