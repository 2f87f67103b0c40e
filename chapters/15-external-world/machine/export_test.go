package machine

// What the tests look at from outside.
var (
	Identify = identify
	InGroup  = inGroup
)
