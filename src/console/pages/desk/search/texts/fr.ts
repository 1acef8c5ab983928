import type { SearchTexts } from '../texts.ts'

export const fr: SearchTexts = {
  search: 'Chercher nom, numéro, chambre',
  what: 'Nom, numéro, chambre',
  results: 'Résultats',
  kinds: {
    code: 'De la borne',
    number: 'Numéros',
    room: 'Chambres',
    guest: 'Clients',
    nearName: 'Noms proches',
  },
  hint: 'Une partie du nom suffit, sans accents. Les quatre chiffres de la borne sont aussi trouvés.',
  none: 'Aucun séjour n’a ce nom, ce numéro ou cette chambre.',
  partly: 'Une partie de la recherche n’a pas répondu.',
  walkIn: (text) => `Sans réservation : « ${text} »`,
  readCard: (place) => `Lire la carte à ${place}`,
  lay: (place) => `Posez la carte sur ${place} …`,
  reading: 'Lecture de la carte …',
  blank: 'La carte est vierge.',
  unknownCard: 'La carte n’est d’aucune clé de cette maison.',
  noStay: (room) => `La carte n’est d’aucun séjour. Elle est pour ${room}.`,
  noRoom: 'pas de chambre',
  close: 'Fermer la recherche',
}
