// Only its file is asked for, ahead of the map; types come with 'leaflet'.
export {}
