package v1alpha1

// The types of conditions, the same for both kinds.
const (
	// ConditionReady is true while what the spec asks for is there.
	ConditionReady = "Ready"
	// ConditionStalled is true when the controller can't go on by itself: somebody has to change the spec or the
	// machine.
	ConditionStalled = "Stalled"
)

// ReasonExitUnknown is why a Process is not Ready that has ended, and nobody knows how: whoever would have learned of
// it had ended before.
const ReasonExitUnknown = "ExitUnknown"
