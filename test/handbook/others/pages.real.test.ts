import { readPagesFor } from '../read-pages.ts'

await readPagesFor('newcomers', 'the front desk', 'operators', 'PMS vendors')
