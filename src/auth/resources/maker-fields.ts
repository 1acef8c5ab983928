import { instant, uuid } from '../../resource/fields.ts'

/** The fields of what keeps its rights only as long as its maker has them: a token, and a station. */
export const makerFields = {
  makerId: uuid({ readOnly: true, note: 'The account or the token that made it, or confirmed it last.' }),
  refusedAt: instant({
    readOnly: true,
    note: 'Since when it is refused, because its maker has lost rights that it has; see rights-to-confirm.',
  }),
}
