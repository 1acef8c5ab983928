import { resources } from '../composition/api.ts'
import { alterations, migratedDatabase } from '../store/alterations.ts'

/**
 * Prints the SQL of what the resources declare and the migrations do not make yet. A developer writes it into the next numbered
 * file of `src/store/migrations`.
 */
const missing = alterations(migratedDatabase(), resources)
console.log(missing.length > 0 ? missing.join('\n\n') : '-- The migrations make all that is declared.')
