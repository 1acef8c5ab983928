import { resources } from '../composition/api.ts'
import { tablesOf } from '../store/declared-tables.ts'

/** Prints the SQL of every declared table. A developer turns it into a numbered migration. */
for (const resource of resources.values()) console.log(`${tablesOf(resources, resource).join('\n\n')}\n`)
