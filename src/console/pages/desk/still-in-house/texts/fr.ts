import type { StillInHouseTexts } from '../texts.ts'

export const fr: StillInHouseTexts = {
  inHouse: (name, room, since, until) =>
    `${name} occupe la chambre ${room} depuis le ${since}, départ le ${until}.`,
  guest: 'Un client',
  checkOut: (name) => `Enregistrer le départ de ${name}`,
  hasLeft: (name, room) => `${name} a-t-il quitté la chambre ${room} ? Les cartes de ce séjour prennent fin.`,
  yesCheckOut: (name) => `Oui, enregistrer le départ de ${name}`,
  otherRoom: 'Attribuer une autre chambre propre',
}
