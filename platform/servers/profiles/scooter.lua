-- A scooter or moped: OSRM's car with a lower top speed, narrower, on what is open to mopeds, and off motorways.

local scooter = require('car')
local car_setup = scooter.setup

scooter.setup = function()
  local profile = car_setup()
  profile.vehicle_max_speed = 45
  profile.vehicle_width = 0.9
  profile.vehicle_height = 1.8
  profile.vehicle_length = 2
  profile.vehicle_weight = 200
  profile.access_tag_whitelist['moped'] = true
  profile.access_tag_whitelist['motorcycle'] = true
  profile.access_tags_hierarchy = Sequence { 'moped', 'motorcycle', 'motor_vehicle', 'vehicle', 'access' }
  profile.restrictions = Sequence { 'moped', 'motorcycle', 'motor_vehicle', 'vehicle' }
  profile.speeds.highway.motorway = nil
  profile.speeds.highway.motorway_link = nil
  return profile
end

return scooter
