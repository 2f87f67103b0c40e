package reflector

import (
	"errors"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Doing is what a reflector was doing when something happened.
type Doing string

const (
	// Streaming is a streaming list: a watch that begins with the initial state, until the bookmark that ends it.
	Streaming Doing = "streaming list"
	// Listing is a list, in pages or in one piece.
	Listing Doing = "list"
	// Opening is the request for a watch that begins at a version, until the server has accepted it.
	Opening Doing = "opening a watch"
	// Watching is reading the events of a watch whose initial state, if it was asked for one, is complete.
	Watching Doing = "watch"
)

// Next is the request that follows.
type Next string

const (
	// Again is a request of the same kind: another streaming list, another list, or another watch. A list is repeated
	// without a delay only once; the next time the reflector waits, tells, and restarts instead.
	Again Next = "again"
	// Fall is a list in the place of a streaming list.
	Fall Next = "fall back to a list"
	// Restart begins as a new reflector would: with a streaming list, or with a list where streaming is off.
	Restart Next = "start again"
)

// Decision is what follows after a request ended.
type Decision struct {
	// Next is the next request.
	Next Next
	// Wait says that the backoff, or the server's Retry-After, passes before it.
	Wait bool
	// Forget says that the version that was asked for can't be had: the next request asks for the newest state.
	Forget bool
	// Tell says that the watch error handler hears of it.
	Tell bool
}

// Policy decides what follows when a request has ended with err, which is nil where a response ended in good order.
// Upstream's decisions are spread over k8s.io/client-go/tools/cache.Reflector's watchList, list and watch, in
// tools/cache/reflector.go.
type Policy func(doing Doing, err error) Decision

// rule is a line of the policy.
type rule struct {
	doing Doing
	ended func(err error) bool
	then  Decision
}

// rules are the policy. The first that fits counts.
var rules = []rule{
	{Streaming, inGoodOrder, Decision{Next: Again}},
	{Streaming, isBusy, Decision{Next: Again, Wait: true}},
	{Streaming, isUnavailable, Decision{Next: Again, Forget: true}},
	{Streaming, anyhow, Decision{Next: Fall}},

	{Listing, isUnavailable, Decision{Next: Again, Forget: true}},
	{Listing, anyhow, Decision{Next: Restart, Wait: true, Tell: true}},

	{Opening, isBusy, Decision{Next: Again, Wait: true}},
	{Opening, anyhow, Decision{Next: Restart, Wait: true, Tell: true}},

	{Watching, inGoodOrder, Decision{Next: Again}},
	{Watching, apierrors.IsTooManyRequests, Decision{Next: Again, Wait: true}},
	// Also 410: the list that follows asks for a state not older than the last version, which the server can give even
	// when it has forgotten the changes since.
	{Watching, anyhow, Decision{Next: Restart, Wait: true}},
}

// Decide is this package's Policy.
func Decide(doing Doing, err error) Decision {
	for _, rule := range rules {
		if rule.doing == doing && rule.ended(err) {
			return rule.then
		}
	}
	return Decision{Next: Restart, Wait: true, Tell: true}
}

func inGoodOrder(err error) bool { return err == nil }

func anyhow(error) bool { return true }

// isBusy says that the server will serve the same request later. Upstream: isWatchErrorRetriable.
func isBusy(err error) bool {
	return utilnet.IsConnectionRefused(err) || apierrors.IsTooManyRequests(err)
}

// isUnavailable says that the server can't serve the version that was asked for: it has forgotten it, or is not there
// yet. Upstream: isExpiredError and isTooLargeResourceVersionError.
func isUnavailable(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || isTooLarge(err)
}

// isTooLarge says that the server is behind the version. Servers before 1.18.6 said so in words alone.
func isTooLarge(err error) bool {
	const words = "Too large resource version"
	if apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		return true
	}
	var answer apierrors.APIStatus
	if !apierrors.IsTimeout(err) || !errors.As(err, &answer) || answer.Status().Details == nil {
		return false
	}
	inWords := func(cause metav1.StatusCause) bool { return cause.Message == words }
	return strings.Contains(answer.Status().Message, words) ||
		slices.ContainsFunc(answer.Status().Details.Causes, inWords)
}
