import { plural } from '../../../lib/format.ts'
import type { WalkInTexts } from '../texts.ts'

export const fr: WalkInTexts = {
  title: 'Sans réservation',
  local: 'Vente d’après les données de la maison : ce que le PMS a vendu depuis manque peut-être ici.',
  from: (date) => `Dès aujourd’hui, ${date}`,
  until: 'Départ',
  nights: (count) => plural(count, { one: '1 nuit', other: `${count} nuits` }),
  badDates: 'Le départ doit être après aujourd’hui.',
  adults: 'Adultes',
  children: 'Enfants',
  type: 'Type de chambre',
  left: (count) => plural(count, { one: '1 libre', other: `${count} libres` }),
  soldOut: 'complet',
  aNight: (price) => `${price} la nuit`,
  allSoldOut: 'Complet pour ces nuits. Essayez un autre départ.',
  tooMany: (most) => `pour ${most} au plus`,
  lastName: 'Nom',
  firstName: 'Prénom',
  nameNeeded: 'Écrivez le nom. Un nom unique s’écrit aussi ici.',
  room: 'Chambre',
  gone: 'Quelqu’un a été plus rapide : cette chambre est prise. Choisissez-en une autre.',
  noRoom: 'Aucune chambre de ce type n’est libre.',
  price: (currency) => `Prix du séjour (${currency})`,
  priceHint: 'Comme ce type a été vendu en dernier. Changez-le s’il est faux.',
  pay: 'Payé par',
  later: 'Payer plus tard',
  refused:
    'Quelqu’un a été plus rapide, ou la maison ne le permet pas. Ce que vous avez écrit reste : choisissez une autre chambre ou un autre type.',
  book: 'Réserver, enregistrer, faire la carte',
  bookOnly: 'Réserver et enregistrer',
  clear: 'Vider le formulaire',
}
