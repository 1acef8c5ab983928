import { h } from 'preact'
import { useState } from 'preact/hooks'
import { type Resource, send } from '../../lib/api.ts'
import { button, Dialog, Field } from '../../lib/controls.ts'
import { el, type View } from '../../lib/el.ts'
import { firstNameOf, type Profile } from '../../lib/resources.ts'
import { g } from '../stay/texts.ts'
import { useWork, workProblem } from '../stay/use-work.ts'

/** Corrects the name of a guest, in all bookings of this guest. */
export function EditName({ profile, onClose }: { profile: Resource<Profile>; onClose: () => void }): View {
  const { id, attributes } = profile
  const work = useWork()
  const [lastName, setLastName] = useState(attributes.lastName ?? '')
  const [firstName, setFirstName] = useState(firstNameOf(attributes.firstName))
  async function save(): Promise<void> {
    const names = { lastName: lastName.trim() || null, firstName: firstName.trim() }
    await send('PUT', `/api/v2/profiles/${id}`, {
      ifMatch: `"${attributes.revision}"`,
      body: { data: { type: 'profile', id, attributes: { ...attributes, ...names } } },
    })
    onClose()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void work.run(save)
  }
  return h(
    Dialog,
    { title: g.value.editName, onClose },
    el.form(
      { class: 'stack', onSubmit: submit },
      h(Field, { label: g.value.lastName, value: lastName, onInput: setLastName, isFirst: true }),
      h(Field, { label: g.value.firstName, value: firstName, onInput: setFirstName }),
      el.p({ class: 'quiet' }, g.value.editNameWhy),
      workProblem(work, {}, () => {}),
      button(g.value.save, { onClick: () => {}, type: 'submit', kind: 'main', isBusy: work.isBusy }),
    ),
  )
}
