import { h } from 'preact'
import { useState } from 'preact/hooks'
import { button, Dialog, Field } from '../../lib/controls/controls.ts'
import { el, type View } from '../../lib/controls/el.ts'
import { prevented } from '../../lib/controls/prevented.ts'
import { getOne, type Resource, send } from '../../lib/server/api.ts'
import { firstNameOf, type Profile } from '../../lib/server/resources.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'
import { writeOver } from '../stay/write-over.ts'

/** Corrects the name of a guest, in all bookings of this guest. */
export function EditName({ profile, onClose }: { profile: Resource<Profile>; onClose: () => void }): View {
  const { id } = profile
  // As the person has seen it, whatever comes meanwhile.
  const [seen] = useState(profile)
  const work = useWork<Profile>()
  const [lastName, setLastName] = useState(seen.attributes.lastName ?? '')
  const [firstName, setFirstName] = useState(firstNameOf(seen.attributes.firstName))
  const names = { lastName: lastName.trim() || null, firstName: firstName.trim() }
  const save = (from = seen) =>
    void work.run(async () => {
      await writeOver<Profile>(from, ['lastName', 'firstName'], {
        write: ({ attributes }) =>
          send('PUT', `/api/v2/profiles/${id}`, {
            ifMatch: `"${attributes.revision}"`,
            body: { data: { type: 'profile', id, attributes: { ...attributes, ...names } } },
          }),
        read: async () => (await getOne<Profile>(`/api/v2/profiles/${id}`)).data,
        textOf: (name, of) => String(of.attributes[name] ?? ''),
      })
      onClose()
    })
  const submit = prevented(save)
  return h(
    Dialog,
    { title: g.value.editName, onClose },
    el.form(
      { class: 'stack', onSubmit: submit },
      h(Field, { label: g.value.lastName, value: lastName, onInput: setLastName, isFirst: true }),
      h(Field, { label: g.value.firstName, value: firstName, onInput: setFirstName }),
      el.p({ class: 'quiet' }, g.value.editNameWhy),
      workProblem(work, names, ({ fresh }) => save(fresh)),
      button(g.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}
