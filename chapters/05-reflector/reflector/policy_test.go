package reflector_test

import (
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// ends are how a request can end.
var ends = map[string]error{
	"good order": nil,
	"410":        reflectortest.Expired(),
	"old 410": &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: 410,
		Reason: metav1.StatusReasonGone}},
	"too large": beyond(),
	"old too large": &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: 504,
		Reason: metav1.StatusReasonTimeout, Message: "Timeout: Too large resource version: 8, current: 5",
		Details: &metav1.StatusDetails{}}},
	"older too large": &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: 504,
		Reason:  metav1.StatusReasonTimeout,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: "Too large resource version"}}}}},
	"timeout":      apierrors.NewTimeoutError("the request took too long", 1),
	"bare timeout": &apierrors.StatusError{ErrStatus: metav1.Status{Reason: metav1.StatusReasonTimeout}},
	"429":          reflectortest.Busy(1),
	"refused":      &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED},
	"500":          internalError(),
	"422":          reflectortest.Unsupported(),
	"cut":          io.ErrUnexpectedEOF,
	"very short":   &cache.VeryShortWatchError{},
	"anything":     errDown,
}

// TestThePolicyIsUpstreams has a row for each end of each kind of request. What is left out is the line "anything".
func TestThePolicyIsUpstreams(t *testing.T) {
	type decision = reflector.Decision
	again, anew := decision{Next: reflector.Again}, decision{Next: reflector.Again, Forget: true}
	waiting, fall := decision{Next: reflector.Again, Wait: true}, decision{Next: reflector.Fall}
	restart := decision{Next: reflector.Restart, Wait: true}
	failed := decision{Next: reflector.Restart, Wait: true, Tell: true}
	table := map[reflector.Doing]map[string]decision{
		reflector.Streaming: {"good order": again, "429": waiting, "refused": waiting, "anything": fall,
			"410": anew, "old 410": anew, "too large": anew, "old too large": anew, "older too large": anew},
		reflector.Listing: {"anything": failed,
			"410": anew, "old 410": anew, "too large": anew, "old too large": anew, "older too large": anew},
		reflector.Opening:  {"429": waiting, "refused": waiting, "anything": failed},
		reflector.Watching: {"good order": again, "429": waiting, "anything": restart},
	}
	for doing, rows := range table {
		for end, err := range ends {
			want, ok := rows[end]
			if !ok {
				want = rows["anything"]
			}
			require.Equal(t, want, reflector.Decide(doing, err), "%s, %s", doing, end)
			if err != nil {
				err = fmt.Errorf("wrapped: %w", err)
				require.Equal(t, want, reflector.Decide(doing, err), "%s, %s, wrapped", doing, end)
			}
		}
	}
	require.Equal(t, failed, reflector.Decide("something else", nil))
}
