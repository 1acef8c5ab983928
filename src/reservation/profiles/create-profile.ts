import { command, type Document } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { profile } from '../resources/profile.ts'
import { profileOfPerson } from './person.ts'

/**
 * POST of a profile. Throws 409 `person-known`, with the id of the existing profile, when the person already has a
 * profile of type Private.
 */
export const createProfile = command(
  'create-profile',
  (tx, { attributes }: { attributes: Record<string, unknown> }): Document => {
    const known = profileOfPerson(tx, attributes)
    if (known) {
      throw new Problem('person-known', `Profile ${known.id} already exists for this person. Use it.`, {
        pointer: '',
        meta: { id: known.id },
      })
    }
    const { id } = tx.insert(profile, attributes as Attributes<typeof profile.fields>)
    return tx.document(profile, id)
  },
)
