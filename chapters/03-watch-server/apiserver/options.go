package apiserver

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// listOptions is the query string of a list or a watch, checked.
type listOptions struct {
	query         storage.Query
	watch         bool
	revision      uint64
	anyRevision   bool // "" or "0": no revision to start from
	exact         bool // resourceVersionMatch=Exact
	state         bool // a watch begins with the objects that exist
	initialEvents bool // and marks where these end
	bookmarks     bool
	timeout       time.Duration // 0: the client did not say
}

// parseOptions reads them. limit is not read: a server may answer with more than was asked for, as
// the real one does when it answers from its watch cache.
func parseOptions(resource Resource, r *http.Request) (o listOptions, err error) {
	v := r.URL.Query()
	o.query = storage.Query{Resource: resource.groupResource().String(), Namespace: r.PathValue("namespace")}
	if o.query.Labels, err = labels.Parse(v.Get("labelSelector")); err != nil {
		return o, apierrors.NewBadRequest(err.Error())
	}
	if o.query.Fields, err = fields.ParseSelector(v.Get("fieldSelector")); err != nil {
		return o, apierrors.NewBadRequest(err.Error())
	}
	for _, f := range o.query.Fields.Requirements() {
		if f.Field != "metadata.name" && f.Field != "metadata.namespace" {
			return o, apierrors.NewBadRequest(fmt.Sprintf(
				"%q is not a known field selector: only \"metadata.name\", \"metadata.namespace\"", f.Field))
		}
	}
	version := v.Get("resourceVersion")
	if o.anyRevision = version == "" || version == "0"; !o.anyRevision {
		if o.revision, err = strconv.ParseUint(version, 10, 64); err != nil {
			return o, apierrors.NewBadRequest(fmt.Sprintf("resourceVersion: %v", err))
		}
	}
	match := v.Get("resourceVersionMatch")
	o.exact = match == string(metav1.ResourceVersionMatchExact)
	o.watch, o.bookmarks = isTrue(v, "watch"), isTrue(v, "allowWatchBookmarks")
	o.initialEvents = isTrue(v, "sendInitialEvents")
	initialEventsGiven := v.Has("sendInitialEvents")
	o.state = o.initialEvents || o.anyRevision && !initialEventsGiven
	seconds, _ := strconv.Atoi(v.Get("timeoutSeconds"))
	o.timeout = time.Duration(max(seconds, 0)) * time.Second
	switch {
	case initialEventsGiven && !o.watch:
		return o, forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")
	case initialEventsGiven && match != string(metav1.ResourceVersionMatchNotOlderThan):
		return o, forbidden("resourceVersionMatch",
			"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
	case match != "" && version == "" && !o.watch:
		return o, forbidden("resourceVersionMatch",
			"resourceVersionMatch is forbidden unless resourceVersion is provided")
	}
	return o, nil
}

// forbidden is how the API server says that two options do not go together.
func forbidden(option, why string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: "ListOptions.meta.k8s.io \"\" is invalid: " + option + ": Forbidden: " + why,
	}}
}

// isTrue reads a boolean of the query string: "true" and "1" are upstream's spellings too.
func isTrue(v url.Values, name string) bool {
	on, _ := strconv.ParseBool(v.Get(name))
	return on
}
