-- Names and addresses of restaurants and names of dishes are no longer masked, so they are searched, too. The
-- service reads the words of these events again.
update events set words = null
where kind like 'tiffin.restaurant.%' or kind like 'tiffin.item.%';
