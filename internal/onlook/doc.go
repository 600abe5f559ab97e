// Package onlook looks at an object as the controller does, with the rights of
// whoever looks, and changes nothing: what it returns is what a controller that has
// just started would decide on.
//
// Unwatched makes an onlooker that asks the API server each time, for who looks at
// many objects and seldom at each of them; who follows one object gives it the
// observer of the controller, over watches.
package onlook
