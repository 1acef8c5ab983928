import type { RegistrationTexts } from '../texts.ts'

export const fr: RegistrationTexts = {
  title: 'Fiche de police',
  registered: 'Enregistré',
  notRegistered: 'Non enregistré',
  notSigned: 'Signature manquante',
  register: 'Enregistrer le client',
  correct: 'Corriger',
  registerTitle: 'Fiche d’un client',
  noGuest: 'Le séjour n’a pas encore de client nommé. Ajoutez-en un d’abord.',
  lastName: 'Nom',
  firstName: 'Prénom',
  accepts: 'Le client a lu le règlement intérieur et l’accepte.',
  onPaper: 'Le client a signé sur papier, que la réception conserve.',
  save: 'Enregistrer',
  waived: 'Sans fiche',
  without: 'Arrivée sans fiche',
  why: 'Motif',
  whyHint: 'Au moins trois lettres. Il est conservé avec le séjour. Un motif vide le supprime.',
  keepReason: 'Conserver le motif',
  dayFile: 'Fiches du jour (CSV)',
}
