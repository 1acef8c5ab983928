import { readPagesFor } from '../read-pages.ts'

await readPagesFor('installers')
