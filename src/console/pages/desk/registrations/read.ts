import { getAll, getOne, type Resource } from '../../lib/server/api.ts'
import type { Address } from '../../lib/server/resources.ts'
import type { Signature } from '../../registration/signature.ts'

/** The registration of a guest, as a list has it. */
interface Registration {
  profileId: string
  firstName: string | null
  lastName: string
  /** YYYY-MM-DD. */
  birthDate: string | null
  nationality: string | null
  address: Address | null
  documentType: string | null
  documentCountry: string | null
  acceptedRules: { version: number; language: string; at?: string } | null
  signedOnPaper: boolean
  takenAt: string
  takenByName: string | null
  takenAtKiosk: boolean
}

/** A registration with what a list does not have. The number and the signature are absent for a caller without the right. */
export type WholeRegistration = Registration & {
  documentNumber?: string | null
  signature?: Signature | null
}

/** Reads the registrations of a stay. */
export async function readRegistrations(
  stayId: string,
  signal?: AbortSignal,
): Promise<Resource<Registration>[]> {
  return (
    await getAll<Registration>(`/api/v2/registrations?filter[stayId]=${stayId}&page[size]=50`, 50, signal)
  ).data
}

/** Reads which guests of a stay have not signed yet: the ids of their profiles. A list has no signature. */
export async function readUnsigned(
  stayId: string,
  signal?: AbortSignal,
): Promise<ReadonlySet<string | null>> {
  const { data } = await getOne<{ missing: { profileId: string | null; fields: string[] }[] }>(
    `/api/v2/stays/${stayId}/missing-registrations`,
    { ...(signal && { signal }), needs: ['missing'] },
  )
  const { missing } = data.attributes
  return new Set(
    missing.filter(({ fields }) => fields.includes('/signature')).map(({ profileId }) => profileId),
  )
}

/** Reads a registration with all that the caller may see. */
export const readRegistration = (id: string) => getOne<WholeRegistration>(`/api/v2/registrations/${id}`)

/** Returns the item that is marked as primary, else the first. */
export function primaryOf<Each extends { primary?: boolean }>(
  all: readonly Each[] | null | undefined,
): Each | undefined {
  return all?.find(({ primary }) => primary) ?? all?.[0]
}
