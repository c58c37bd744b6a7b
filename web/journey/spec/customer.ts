// The customer's site as the specification describes it: its routes, and its texts letter for letter.
// `{…}` in a text matches anything.

export const customer = {
  routes: {
    route: [
      '/',
      '/contact',
      '/restaurant',
      '/restaurant/*',
      '/item',
      '/product/{key}',
      '/cart',
      '/location',
      '/profile',
      '/login',
      '/register',
      '/verify-email',
      '/payment',
      '/bookingconfirmation',
      '/testing',
      '/{any other path}',
      '/menu -> /item',
      '/order -> /profile',
    ],
  },
  home: { link: ['/menu', '/order', '/item'] },
  header: { link: ['Home', 'Contact', 'Restaurants', 'Items', 'Login', 'Profile', 'Cart'] },
  'not found': { text: ['404 Error: Page is Not Found'] },
  profile: {
    text: [
      'Loading profile...',
      'Could not fetch delivery history.',
      'Failed to update profile.',
      'Delete failed.',
      'Image upload failed.',
      'Geolocation not allowed or failed.',
      'Failed to change password',
      'Profile updated!',
      'Image uploaded.',
      'Location fetched!',
      'Logged out',
      'Account removed.',
    ],
    field: ['First name', 'Last name', 'Email', 'Phone', 'Address'],
    button: ['Use Current Location', 'Update Profile', 'Delete Account', 'Logout', 'Change Password'],
    image: ["Driver's Location"],
  },
  contact: {
    text: [
      'Please enter your message.',
      'Message cannot be empty.',
      'Please login first.',
      'Failed to update inquiry.',
      'Failed to delete inquiry.',
    ],
  },
  items: { text: ['An error occurred', 'No items found.'] },
  product: {
    text: [
      'Failed to load food details. Please try again later.',
      'Failed to submit review.',
      'Restaurant details are not available.',
      'Please log in to submit a review.',
      'No reviews found.',
    ],
  },
  cart: {
    text: ['Your cart is empty.', 'Failed to load item.', 'Please Login', 'Invalid booking details received.'],
  },
  restaurant: {
    text: [
      'Restaurant not found.',
      'Failed to load restaurant or collections.',
      'No food items found for this restaurant.',
    ],
  },
  login: {
    text: ['User is blocked', 'Please verify your email first'],
    link: ['/register', '/restaurant-signup', '/driver-signup'],
  },
  register: {
    text: [
      'Email Already Added',
      'Registration Successfully',
      'Image uploaded successfully!',
      'Image upload failed.',
      'Please upload profile picture',
      'Password must be at least 8 characters long and include at least one uppercase letter and one symbol.',
    ],
  },
  'verify email': {
    text: [
      'Please enter the OTP.',
      'Token not found. Please login again.',
      'Failed to send verification email.',
      'OTP verification failed.',
      'An error occurred while sending the OTP.',
      'An error occurred while verifying OTP.',
    ],
  },
  payment: {
    text: [
      'Payment failed.',
      'Invalid card number',
      'Invalid expiry (MM/YY)',
      'Invalid CVV',
      'Card',
      'PayPal',
      'Bank Transfer',
    ],
  },
  booking: { text: ['Booking details not found.'] },
  location: {
    text: [
      'Geolocation is not supported by your browser.',
      'Failed to fetch location details.',
      'Failed to access your location.',
      'User not logged in',
      'Failed to update user location.',
    ],
  },
  upload: { text: ['no file selected', 'Error uploading file'] },
} as const
