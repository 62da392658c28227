#include "gsl_stand_in.h"
