import type { SupportTexts } from '../support-texts.ts'

export const fr: SupportTexts = {
  file: 'Fichier d’assistance',
  fileWhy:
    'État, réglages et journal sans clients ni secrets, pour quelqu’un qui aide à distance. Lisez-le ici avant de l’enregistrer et de le transmettre.',
  show: 'Afficher le contenu',
  contents: (parts) => `Lignes du fichier : ${parts}.`,
  save: 'Enregistrer',
  console: 'Console de support',
  consoleWhy:
    'Pendant une heure, la personne qui a un clavier au boîtier lit son journal sur le deuxième écran (Alt+F2). La console ne montre aucune donnée de l’hôtel et ne change rien. Elle n’est jamais accessible par le réseau.',
  notAnImage: 'Cette machine n’utilise pas l’image d’un boîtier ; elle n’a donc pas de console de support.',
  open: 'Ouvrir pendant une heure',
  close: 'Fermer maintenant',
  isOpen: (time) => `La console de support est ouverte jusqu’à ${time}.`,
}
