import { DeviceFault } from '../../../devices/fault.ts'
import type { Request, Route } from '../../../jsonapi/route.ts'
import { profile } from '../../../reservation/resources/profile.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { staysNamed } from '../../../reservation/stays/find-stays.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Property } from '../../access.ts'
import { deviceProblem } from '../../handles/device-problem.ts'
import { key } from '../../resources/key.ts'
import { keyIn } from '../../resources/key-request.ts'

type Stored = Pick<Property, 'reader'>

/**
 * Returns the route, which answers the fault of a device with a 502 if its description says so. A failure that concerns
 * a guest names the language of the guest of the key's stay.
 */
export function deviceRoute(access: Stored, route: Route): Route {
  return {
    ...route,
    async handle(request) {
      try {
        return await route.handle(request)
      } catch (cause) {
        const isFault = route.description.device && cause instanceof DeviceFault
        const error = isFault ? deviceProblem(cause) : cause
        if (error instanceof Problem && error.options.meta?.guest !== undefined)
          error.options.guestLanguage = await languageOf(access, request, error.options.meta.keyId)
        throw error
      }
    },
  }
}

/** The language of the profile of the stay's main guest; null when the stay or the language is not known. */
async function languageOf({ reader }: Stored, request: Request, keyId: unknown): Promise<string | null> {
  const guests = (await stayOf({ reader }, request, keyId))?.profiles ?? []
  const main = guests.find(({ role }) => role === 'PrimaryGuest') ?? guests[0]
  return (main && reader.row(profile, main.id)?.languageCode) ?? null
}

/** The stay that the path or the body names, or that of the key. */
async function stayOf({ reader }: Stored, request: Request, keyId: unknown): Promise<Stay | null> {
  const { stayExternalId, id, keyId: acted } = request.params
  const own = id ?? acted
  const isMaking = own === undefined && request.method === 'POST'
  const named = stayExternalId ?? (isMaking ? keyIn(await request.body()).externalId : undefined)
  if (typeof named === 'string') return reader.row(stay, staysNamed(reader, named)[0] ?? '')
  const known = own ?? keyId
  const stayId = typeof known === 'string' ? reader.row(key, known)?.stayId : null
  return stayId ? reader.row(stay, stayId) : null
}
