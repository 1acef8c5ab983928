import type { Store } from '../../jsonapi/resource-routes.ts'
import { Problem } from '../../resource/problem.ts'
import { accessController } from '../resources/access-controller.ts'

/**
 * Throws validation-failed when another controller of the provider, not `id`, has an encoder number that differs only
 * in leading zeros. Lock systems write 1 as 01, so the answers of two such encoders cannot be told apart.
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
  const detail = `${twin.name} has the encoder ${twin.externalCode}. Encoder numbers that differ only in leading zeros cannot be distinguished in the answers of the lock system.`
  throw new Problem('validation-failed', detail, { pointer: '/externalCode' })
}

function plain(code: string | null | undefined): string | null {
  return /^\d+$/.test(code ?? '') ? (code ?? '').replace(/^0+(?=\d)/, '') : null
}
