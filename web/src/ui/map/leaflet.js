// What 'leaflet' means in this app. With all of Leaflet, a map would take 7 kB more, gzipped.

export * from './leaflet-parts.js'

// react-leaflet has components for these, which no map uses; the bundle leaves them out.
export { GeoJSON } from 'leaflet/src/layer/GeoJSON.js'
export { ImageOverlay } from 'leaflet/src/layer/ImageOverlay.js'
export { LayerGroup } from 'leaflet/src/layer/LayerGroup.js'
export { Popup } from 'leaflet/src/layer/Popup.js'
export { SVGOverlay } from 'leaflet/src/layer/SVGOverlay.js'
export { VideoOverlay } from 'leaflet/src/layer/VideoOverlay.js'
export { Circle } from 'leaflet/src/layer/vector/Circle.js'
export { CircleMarker } from 'leaflet/src/layer/vector/CircleMarker.js'
export { Polygon } from 'leaflet/src/layer/vector/Polygon.js'
export { Rectangle } from 'leaflet/src/layer/vector/Rectangle.js'
