SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interfaces',
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  filter: true,
  // Asks nothing of the internet.
  validatorUrl: null,
})
