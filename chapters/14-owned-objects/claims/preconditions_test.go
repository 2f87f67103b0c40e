package claims

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A deletion that names the UID of the child that was looked at spares another child of that name, and one that names
// its version spares a child that was changed since. Without them whatever has the name is deleted.
//
// covers: S0-43
func TestADeletionNamesWhatItMeans(t *testing.T) {
	s := newSite(t)
	read := made(s, s.child("web-0"))
	require.NoError(t, s.user.Delete(t.Context(), s.child("web-0")))
	again := made(s, s.child("web-0"))
	words := refused(t, http.StatusConflict,
		s.user.Delete(t.Context(), s.child("web-0"), client.Preconditions{UID: &read.UID}))
	require.Contains(t, words, "the UID in the precondition ("+string(read.UID)+") does not match the UID in record ("+
		string(again.UID)+"). The object might have been deleted and then recreated")

	was := again.ResourceVersion
	require.NoError(t, s.patch(again, map[string]any{"annotations": map[string]string{"in-use": "yes"}}))
	words = refused(t, http.StatusConflict, s.user.Delete(t.Context(), s.child("web-0"),
		client.Preconditions{UID: &again.UID, ResourceVersion: &was}))
	require.Contains(t, words, "the ResourceVersion in the precondition ("+was+") does not match the "+
		"ResourceVersion in record ("+again.ResourceVersion+"). The object might have been modified")
	require.NoError(t, s.user.Delete(t.Context(), s.child("web-0"),
		client.Preconditions{UID: &again.UID, ResourceVersion: ptr.To(again.ResourceVersion)}))
}
