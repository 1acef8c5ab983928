import { readPagesFor } from '../read-pages.ts'

await readPagesFor('newcomers')
