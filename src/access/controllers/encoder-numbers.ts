import type { Store } from '../../jsonapi/resource-routes.ts'
import { Problem } from '../../resource/problem.ts'
import { accessController } from '../resources/access-controller.ts'

/**
 * Throws validation-failed when another controller of the provider, not `id`, has the same encoder number with other zeros
 * before it: lock systems write 1 as 01, and the answer of one encoder would be taken for the other's.
 */
export function expectOwnNumber(
  { reader }: Pick<Store, 'reader'>,
  { providerId, externalCode }: Record<string, unknown>,
  id: string | null,
): void {
  const code = String(externalCode ?? '')
  if (!/^\d+$/.test(code)) return
  const filters = [{ path: 'providerId', operator: 'eq' as const, value: String(providerId) }]
  const others = reader.rows(accessController, { filters, sort: [], page: { size: 1_000 } })
  const twin = others.find(
    (row) => row.id !== id && row.externalCode !== code && plain(row.externalCode) === plain(code),
  )
  if (!twin) return
  const detail = `${twin.name} has the encoder ${twin.externalCode}: answers of the lock system cannot be told apart by zeros alone.`
  throw new Problem('validation-failed', detail, { pointer: '/externalCode' })
}

function plain(code: string | null | undefined): string | null {
  return /^\d+$/.test(code ?? '') ? (code ?? '').replace(/^0+(?=\d)/, '') : null
}
