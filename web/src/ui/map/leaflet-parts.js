// The parts of Leaflet that the maps use.

import { Control } from 'leaflet/src/control/Control.js'
import { Attribution } from 'leaflet/src/control/Control.Attribution.js'
import { Zoom } from 'leaflet/src/control/Control.Zoom.js'
import 'leaflet/src/layer/vector/Renderer.getRenderer.js'

Control.Attribution = Attribution
Control.Zoom = Zoom

export { Control }
export * as DomEvent from 'leaflet/src/dom/DomEvent.js'
export * as DomUtil from 'leaflet/src/dom/DomUtil.js'
export { LatLng } from 'leaflet/src/geo/LatLng.js'
export { LatLngBounds } from 'leaflet/src/geo/LatLngBounds.js'
export { FeatureGroup } from 'leaflet/src/layer/FeatureGroup.js'
export { Layer } from 'leaflet/src/layer/Layer.js'
export { DivIcon } from 'leaflet/src/layer/marker/DivIcon.js'
export { Marker } from 'leaflet/src/layer/marker/Marker.js'
export { GridLayer } from 'leaflet/src/layer/tile/GridLayer.js'
export { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js'
export { Tooltip } from 'leaflet/src/layer/Tooltip.js'
export { Polyline } from 'leaflet/src/layer/vector/Polyline.js'
export { Map } from 'leaflet/src/map/index.js'
