import { resources } from '../api.ts'
import { tablesOf } from '../store/declared-tables.ts'

/** Prints the SQL of every declared table, to be made into a numbered migration by hand. */
for (const resource of resources.values()) console.log(`${tablesOf(resources, resource).join('\n\n')}\n`)
