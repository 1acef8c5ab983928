import { readPagesFor } from '../read-pages.ts'

await readPagesFor('the front desk', 'operators', 'PMS vendors')
