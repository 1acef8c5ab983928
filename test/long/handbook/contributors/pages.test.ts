import { readPagesFor } from '../../../handbook/read-pages.ts'

await readPagesFor('contributors')
