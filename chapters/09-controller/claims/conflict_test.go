package claims

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// theWords are those that a conflict is told from by its text.
const theWords = "please apply your changes to the latest version"

func conflict(reason string) error {
	return apierrors.NewConflict(schema.GroupResource{Resource: "configmaps"}, "menu", errors.New(reason))
}

// A write that names an old version, and a deletion or a patch that names a precondition which does not hold, are all
// refused with a conflict. The words of the first are not in all of them.
//
// covers: B-63
func TestAConflictHasSeveralTexts(t *testing.T) {
	c := cluster.New(t)
	maps := kube.Clientset(t, kube.RESTConfig(t, c.Cluster)).CoreV1().ConfigMaps(c.Namespace)
	made, err := maps.Create(t.Context(), configMap("", "menu", "", "soup"), metav1.CreateOptions{})
	require.NoError(t, err)
	changed := made.DeepCopy()
	changed.Data["today"] = "stew"
	_, err = maps.Update(t.Context(), changed, metav1.UpdateOptions{})
	require.NoError(t, err)

	_, old := maps.Update(t.Context(), changed, metav1.UpdateOptions{}) // it still has the version of the first
	refused := func(only metav1.Preconditions) error {
		return maps.Delete(t.Context(), "menu", metav1.DeleteOptions{Preconditions: &only})
	}
	uid := refused(metav1.Preconditions{UID: ptr.To(types.UID("another"))})
	version := refused(metav1.Preconditions{ResourceVersion: &made.ResourceVersion})
	for what, refused := range map[string]struct {
		error
		theWords bool
	}{
		"an update from an old version": {old, true},
		"a deletion of another UID":     {uid, false},
		"a deletion of an old version":  {version, false},
		"an update, in a run's words":   {fmt.Errorf("saving: %w", old), true},
		"a deletion, in a run's words":  {fmt.Errorf("deleting: %w", uid), false},
	} {
		require.True(t, apierrors.IsConflict(refused.error), "%s: %v", what, refused.error)
		require.Equal(t, refused.theWords, strings.Contains(refused.Error(), theWords), "%s: %v", what, refused.error)
	}
	require.False(t, apierrors.IsConflict(fmt.Errorf("saving: %v", old)), "%%v keeps the words alone")

	_, taken := maps.Create(t.Context(), configMap("", "menu", "", "soup"), metav1.CreateOptions{})
	var status apierrors.APIStatus
	require.ErrorAs(t, taken, &status)
	require.EqualValues(t, http.StatusConflict, status.Status().Code, "a POST for a name that is taken")
	require.False(t, apierrors.IsConflict(taken), "that is AlreadyExists: %v", taken)
	require.True(t, apierrors.IsAlreadyExists(taken), "%v", taken)
}

// An update that changes nothing keeps the resourceVersion, and no watch tells of it. One that notes the time is a
// change, and its event would lead to the next run.
//
// covers: S1-17
func TestWhoWritesTheTimeIsCalledAgain(t *testing.T) {
	c := cluster.New(t)
	maps := kube.Clientset(t, kube.RESTConfig(t, c.Cluster)).CoreV1().ConfigMaps(c.Namespace)
	made, err := maps.Create(t.Context(), configMap("", "menu", "", "soup"), metav1.CreateOptions{})
	require.NoError(t, err)
	events, err := maps.Watch(t.Context(), metav1.ListOptions{ResourceVersion: made.ResourceVersion,
		FieldSelector: "metadata.name=menu"})
	require.NoError(t, err)
	defer events.Stop()

	same, err := maps.Update(t.Context(), made, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.Equal(t, made.ResourceVersion, same.ResourceVersion)

	noted := same.DeepCopy()
	noted.Annotations = map[string]string{"looked-at": time.Now().Format(time.RFC3339Nano)}
	noted, err = maps.Update(t.Context(), noted, metav1.UpdateOptions{})
	require.NoError(t, err)
	require.NotEqual(t, made.ResourceVersion, noted.ResourceVersion)

	first := <-events.ResultChan()
	require.Equal(t, watch.Modified, first.Type)
	require.Equal(t, noted.ResourceVersion, first.Object.(*corev1.ConfigMap).ResourceVersion,
		"of the first update nothing came")
}
