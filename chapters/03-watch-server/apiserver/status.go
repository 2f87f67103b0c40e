package apiserver

import (
	"encoding/json"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// errModified is the sentence that everyone who writes a controller meets.
var errModified = errors.New("the object has been modified; " +
	"please apply your changes to the latest version and try again")

// status turns an error into what a client is told: a Status object, whose reason programs test
// and whose message people read.
func status(resource Resource, name string, err error) metav1.Status {
	var known apierrors.APIStatus
	var expired *storage.ExpiredError
	groupResource := resource.groupResource()
	switch {
	case errors.As(err, &known):
	case errors.Is(err, storage.ErrNotFound):
		known = apierrors.NewNotFound(groupResource, name)
	case errors.Is(err, storage.ErrExists):
		known = apierrors.NewAlreadyExists(groupResource, name)
	case errors.Is(err, storage.ErrConflict):
		known = apierrors.NewConflict(groupResource, name, errModified)
	case errors.As(err, &expired):
		known = apierrors.NewResourceExpired(expired.Error())
	default:
		known = apierrors.NewInternalError(err)
	}
	s := known.Status()
	s.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	return s
}

func writeError(w http.ResponseWriter, resource Resource, name string, err error) {
	s := status(resource, name, err)
	writeJSON(w, int(s.Code), s)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone needs no answer
}
